package winnow.client.message;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// Deserialises the body of an object message. Resolves classes by the thread's context class
/// loader first, where application servers have the application's classes.
final class BodyInput extends ObjectInputStream {
    private final HashWork work = new HashWork();
    private String refused = "its size or nesting";

    /// @param origin null for a message of the application itself, which may hold any class
    BodyInput(byte[] bytes, @Nullable MessageOrigin origin) throws IOException {
        super(new ByteArrayInputStream(bytes));
        if (origin != null) {
            enableResolveObject(true);
            ObjectInputFilter filter = origin.allowedClasses().ofBody(bytes.length, work);
            setObjectInputFilter(info -> {
                ObjectInputFilter.Status status = filter.checkInput(info);
                if (status == ObjectInputFilter.Status.REJECTED && info.serialClass() != null) {
                    refused = info.serialClass().getName();
                }
                return status;
            });
        }
    }

    /// The object.
    ///
    /// @throws InvalidClassException if it is refused
    @Nullable Serializable object() throws IOException, ClassNotFoundException {
        try {
            return (Serializable) readObject();
        } catch (InvalidClassException e) {
            InvalidClassException named =
                    new InvalidClassException(
                            refused
                                    + " is not allowed by the connection (option allowedClasses): "
                                    + e.getMessage());
            named.initCause(e);
            throw named;
        }
    }

    @Override
    protected @Nullable Object resolveObject(@Nullable Object object) {
        if (object != null) {
            work.onRead(object);
        }
        return object;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
            throws IOException, ClassNotFoundException {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        if (loader != null) {
            try {
                return Class.forName(description.getName(), false, loader);
            } catch (ClassNotFoundException e) {
                return super.resolveClass(description);
            }
        }
        return super.resolveClass(description);
    }
}
