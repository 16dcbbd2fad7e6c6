package winnow.client.jndi;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import javax.naming.Binding;
import javax.naming.CompositeName;
import javax.naming.Name;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NameParser;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import org.jspecify.annotations.Nullable;

/// The names of one `InitialContext`, all in this process; they cannot be changed. A name may
/// contain slashes, which mean nothing.
final class LocalContext extends ReadOnlyContext {
    private static final String DYNAMIC_TOPICS = "dynamicTopics/";
    private static final String DYNAMIC_QUEUES = "dynamicQueues/";

    private final Map<String, Object> objects;
    private final Map<String, Object> environment;

    LocalContext(Map<String, Object> objects, Map<String, Object> environment) {
        this.objects = objects;
        this.environment = new HashMap<>(environment);
    }

    private Object find(String name) throws NamingException {
        if (name.isEmpty()) {
            return new LocalContext(objects, environment);
        }
        Object found = objects.get(name);
        if (found != null) {
            return found;
        }
        if (name.startsWith(DYNAMIC_TOPICS)) {
            return WinnowInitialContextFactory.topic(name, name.substring(DYNAMIC_TOPICS.length()));
        }
        if (name.startsWith(DYNAMIC_QUEUES)) {
            return WinnowInitialContextFactory.queue(name, name.substring(DYNAMIC_QUEUES.length()));
        }
        throw new NameNotFoundException(
                "expected one of %s or dynamicTopics/NAME, found '%s'"
                        .formatted(objects.keySet(), name));
    }

    @Override
    public Object lookup(String name) throws NamingException {
        return find(name);
    }

    @Override
    public Object lookup(Name name) throws NamingException {
        return find(name.toString());
    }

    @Override
    public Object lookupLink(Name name) throws NamingException {
        return find(name.toString());
    }

    @Override
    public Object lookupLink(String name) throws NamingException {
        return find(name);
    }

    @Override
    public NamingEnumeration<NameClassPair> list(String name) throws NamingException {
        requireThis(name);
        List<NameClassPair> pairs = new ArrayList<>();
        objects.forEach(
                (key, object) -> pairs.add(new NameClassPair(key, object.getClass().getName())));
        return new Listing<>(pairs.iterator());
    }

    @Override
    public NamingEnumeration<NameClassPair> list(Name name) throws NamingException {
        return list(name.toString());
    }

    @Override
    public NamingEnumeration<Binding> listBindings(String name) throws NamingException {
        requireThis(name);
        List<Binding> bindings = new ArrayList<>();
        objects.forEach((key, object) -> bindings.add(new Binding(key, object)));
        return new Listing<>(bindings.iterator());
    }

    @Override
    public NamingEnumeration<Binding> listBindings(Name name) throws NamingException {
        return listBindings(name.toString());
    }

    private static void requireThis(String name) throws NamingException {
        if (!name.isEmpty()) {
            throw new NotContextException("'" + name + "' has no names below it");
        }
    }

    @Override
    public NameParser getNameParser(String name) {
        return CompositeName::new;
    }

    @Override
    public NameParser getNameParser(Name name) {
        return CompositeName::new;
    }

    @Override
    public String composeName(String name, String prefix) {
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    @Override
    public Name composeName(Name name, Name prefix) throws NamingException {
        return ((Name) prefix.clone()).addAll(name);
    }

    @Override
    public String getNameInNamespace() {
        return "";
    }

    @Override
    public Hashtable<?, ?> getEnvironment() {
        return new Hashtable<>(environment);
    }

    @Override
    public @Nullable Object addToEnvironment(String key, Object value) {
        return environment.put(key, value);
    }

    @Override
    public @Nullable Object removeFromEnvironment(String key) {
        return environment.remove(key);
    }

    @Override
    public void close() {}

    /// All names, once.
    private static final class Listing<T> implements NamingEnumeration<T> {
        private Iterator<T> rest;

        Listing(Iterator<T> rest) {
            this.rest = rest;
        }

        @Override
        public T next() {
            return rest.next();
        }

        @Override
        public boolean hasMore() {
            return rest.hasNext();
        }

        @Override
        public T nextElement() {
            return rest.next();
        }

        @Override
        public boolean hasMoreElements() {
            return rest.hasNext();
        }

        @Override
        public void close() {
            rest = Collections.emptyIterator();
        }
    }
}
