; Towers of Hanoi: disks on pegs and on each other, moved one at a time, never a larger one
; onto a smaller one.
(define (domain hanoi)
  (:requirements :strips :typing)
  (:types disk peg - place)
  (:predicates
    (on ?d - disk ?p - place)        ; directly on it
    (clear ?p - place)               ; nothing lies on it
    (fits ?d - disk ?p - place))     ; pegs take every disk, disks the smaller ones
  (:action move
    :parameters (?d - disk ?from ?to - place)
    :precondition (and (on ?d ?from) (clear ?d) (clear ?to) (fits ?d ?to))
    :effect (and (on ?d ?to) (clear ?from) (not (on ?d ?from)) (not (clear ?to)))))
