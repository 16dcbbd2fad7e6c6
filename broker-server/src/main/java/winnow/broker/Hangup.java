package winnow.broker;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The signal by which an operator asks a process to read its files again, where there is one.
final class Hangup {
    private static final Logger LOG = LoggerFactory.getLogger(Hangup.class);

    private Hangup() {}

    /// On the JDK's own thread a failure would vanish.
    private static @Nullable Object start(Runnable action) {
        Thread.ofPlatform().name("winnow-reload").start(action);
        return null;
    }

    /// Runs `action` on a thread of its own at each signal. The class that the JDK has for that
    /// warns whoever compiles against it, so it is called by name. Where the signal is ignored
    /// since the process started, as under `nohup`, the virtual machine leaves it so.
    static void handle(Runnable action) {
        InvocationHandler onCall =
                (proxy, method, arguments) ->
                        switch (method.getName()) {
                            case "handle" -> {
                                yield start(action);
                            }
                            case "equals" ->
                                    System.identityHashCode(proxy)
                                            == System.identityHashCode(arguments[0]);
                            case "hashCode" -> System.identityHashCode(proxy);
                            default -> "winnow";
                        };
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object ours =
                    Proxy.newProxyInstance(
                            Hangup.class.getClassLoader(), new Class<?>[] {handler}, onCall);
            Object before =
                    signal.getMethod("handle", signal, handler)
                            .invoke(
                                    null,
                                    signal.getConstructor(String.class).newInstance("HUP"),
                                    ours);
            if (handler.getField("SIG_IGN").get(null).equals(before)) {
                LOG.warn(
                        "SIGHUP was ignored when the broker was started, as nohup does, so it"
                                + " cannot make the broker read its settings again;"
                                + " POST /api/v1/reload does");
            }
        } catch (ReflectiveOperationException e) {
            LOG.debug("SIGHUP is not there: {}", e.toString());
        }
    }
}
