package winnow.selector.slot;

/// Source of slots and constants for compiling.
public interface SlotRegistry {

    /// The slot of a name as selectors write it, added if it is new.
    int require(String name);

    /// The number of a string constant within its slot, added if it is new.
    int requireConstant(int slot, byte[] utf8);
}
