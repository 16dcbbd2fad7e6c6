package winnow.selector.index;

/// What a [Members] holds. The number decides where in a large one.
interface Member {

    int number();
}
