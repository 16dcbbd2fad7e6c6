package winnow.selector.index.structure;

/// What a [Members] holds. The number decides where in a large one.
public interface Member {

    int number();
}
