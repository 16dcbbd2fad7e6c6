package winnow.selector.index.structure;

/// Element of a [Members]. The number decides its place in a large one.
public interface Member {

    int number();
}
