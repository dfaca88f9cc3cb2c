; Ferry: a boat that holds one car at a time takes cars from shore to shore.
(define (domain ferry)
  (:requirements :strips :typing)
  (:types car shore)
  (:predicates
    (at ?c - car ?l - shore)
    (at-ferry ?l - shore)
    (on ?c - car)
    (empty-ferry))
  (:action board
    :parameters (?c - car ?l - shore)
    :precondition (and (at ?c ?l) (at-ferry ?l) (empty-ferry))
    :effect (and (on ?c) (not (at ?c ?l)) (not (empty-ferry))))
  (:action debark
    :parameters (?c - car ?l - shore)
    :precondition (and (on ?c) (at-ferry ?l))
    :effect (and (at ?c ?l) (empty-ferry) (not (on ?c))))
  (:action sail
    :parameters (?from ?to - shore)
    :precondition (at-ferry ?from)
    :effect (and (at-ferry ?to) (not (at-ferry ?from)))))
