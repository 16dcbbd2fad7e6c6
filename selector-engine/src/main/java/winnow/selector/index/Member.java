package winnow.selector.index;

/// What a [Cluster] holds. The number decides where in a large one.
interface Member {

    int number();
}
