package winnow.client;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import winnow.client.error.JmsErrors;

/// A program whose `main` sets listeners and returns. It prints what they hear after that, and
/// closes its connection when it has heard a message.
public final class ListeningProgram {
    private ListeningProgram() {}

    /// @param arguments URL of the broker
    public static void main(String[] arguments) throws JMSException {
        Thread main = Thread.currentThread();
        Connection connection = new WinnowConnectionFactory(arguments[0]).createConnection();
        connection.setExceptionListener(lost -> report(main, "lost"));
        Session session = connection.createSession();
        session.createConsumer(session.createTopic("t"))
                .setMessageListener(message -> {
                    report(main, "heard");
                    new Thread(() -> JmsErrors.run(connection::close)).start();
                });
        connection.start();
        System.out.println("listening");
    }

    private static void report(Thread main, String what) {
        try {
            main.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        System.out.println(what);
    }
}
