package winnow.tests.jms;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import winnow.client.WinnowConnectionFactory;

/// A client in a process of its own, which ends at once, with nothing said to the broker, when its
/// application has a message of the queue `orders`. Before, it prints how often that was delivered.
final class KilledClient {
    private KilledClient() {}

    /// Runs one.
    ///
    /// @param mode of its session, which receives; 0 for a listener with AUTO_ACKNOWLEDGE
    /// @return what it has printed
    static int run(String url, int mode) throws IOException, InterruptedException {
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledClient.class.getName(),
                        url,
                        String.valueOf(mode));
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader out = process.inputReader()) {
            return Integer.parseInt(String.valueOf(out.readLine()));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /// @param arguments the broker's URL and the mode
    public static void main(String[] arguments) throws JMSException {
        boolean listens = arguments[1].equals("0");
        int mode = listens ? Session.AUTO_ACKNOWLEDGE : Integer.parseInt(arguments[1]);
        Connection connection = new WinnowConnectionFactory(arguments[0]).createConnection();
        Session session = connection.createSession(mode);
        var consumer = session.createConsumer(session.createQueue("orders"));
        if (listens) {
            consumer.setMessageListener(KilledClient::die);
        }
        connection.start();
        if (!listens) {
            die(consumer.receive());
        }
    }

    private static void die(Message message) {
        try {
            System.out.println(message.getIntProperty("JMSXDeliveryCount"));
            System.out.flush();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        } finally {
            Runtime.getRuntime().halt(9);
        }
    }
}
