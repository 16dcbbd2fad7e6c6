package winnow.client.jndi;

import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NamingException;
import javax.naming.OperationNotSupportedException;

/// Refuses all that changes the names of a context.
abstract class ReadOnlyContext implements Context {
    @Override
    public final void bind(Name name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public final void bind(String name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public final void rebind(Name name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public final void rebind(String name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public final void unbind(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public final void unbind(String name) throws NamingException {
        throw readOnly();
    }

    @Override
    public final void rename(Name from, Name to) throws NamingException {
        throw readOnly();
    }

    @Override
    public final void rename(String from, String to) throws NamingException {
        throw readOnly();
    }

    @Override
    public final Context createSubcontext(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public final Context createSubcontext(String name) throws NamingException {
        throw readOnly();
    }

    @Override
    public final void destroySubcontext(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public final void destroySubcontext(String name) throws NamingException {
        throw readOnly();
    }

    private static NamingException readOnly() {
        return new OperationNotSupportedException(
                "these names cannot be changed: give them in the environment or jndi.properties,"
                        + " such as topic.NAME=prices");
    }
}
