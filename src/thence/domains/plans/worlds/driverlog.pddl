; Driverlog: drivers walk along paths and drive trucks along links; trucks carry packages.
(define (domain driverlog)
  (:requirements :strips :typing)
  (:types place mover - object
          driver truck package - mover)
  (:predicates
    (at ?m - mover ?l - place)
    (in ?o - package ?k - truck)
    (driving ?d - driver ?k - truck)
    (empty ?k - truck)               ; nobody is at its wheel
    (link ?from ?to - place)
    (path ?from ?to - place))
  (:action load-truck
    :parameters (?o - package ?k - truck ?l - place)
    :precondition (and (at ?k ?l) (at ?o ?l))
    :effect (and (in ?o ?k) (not (at ?o ?l))))
  (:action unload-truck
    :parameters (?o - package ?k - truck ?l - place)
    :precondition (and (at ?k ?l) (in ?o ?k))
    :effect (and (at ?o ?l) (not (in ?o ?k))))
  (:action board-truck
    :parameters (?d - driver ?k - truck ?l - place)
    :precondition (and (at ?k ?l) (at ?d ?l) (empty ?k))
    :effect (and (driving ?d ?k) (not (at ?d ?l)) (not (empty ?k))))
  (:action disembark-truck
    :parameters (?d - driver ?k - truck ?l - place)
    :precondition (and (at ?k ?l) (driving ?d ?k))
    :effect (and (at ?d ?l) (empty ?k) (not (driving ?d ?k))))
  (:action drive-truck
    :parameters (?k - truck ?from ?to - place ?d - driver)
    :precondition (and (at ?k ?from) (driving ?d ?k) (link ?from ?to))
    :effect (and (at ?k ?to) (not (at ?k ?from))))
  (:action walk
    :parameters (?d - driver ?from ?to - place)
    :precondition (and (at ?d ?from) (path ?from ?to))
    :effect (and (at ?d ?to) (not (at ?d ?from)))))
