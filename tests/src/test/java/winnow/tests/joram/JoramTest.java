package winnow.tests.joram;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import junit.framework.TestCase;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import junit.framework.TestSuite;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Runs the tests of Joram, which are written for JUnit 3.
class JoramTest {
    private static final List<String> CLASSES =
            List.of(
                    "connection.ConnectionTest",
                    "connection.TopicConnectionTest",
                    "message.MessageBodyTest",
                    "message.MessageDefaultTest",
                    "message.MessageTypeTest",
                    "message.headers.MessageHeaderTest",
                    "message.properties.JMSXPropertyTest",
                    "message.properties.MessagePropertyConversionTest",
                    "message.properties.MessagePropertyTest",
                    "queue.QueueBrowserTest",
                    "queue.TemporaryQueueTest",
                    "selector.SelectorSyntaxTest",
                    "selector.SelectorTest",
                    "session.QueueSessionTest",
                    "session.SessionTest",
                    "session.TopicSessionTest",
                    "session.UnifiedSessionTest",
                    "topic.TemporaryTopicTest");

    @TestFactory
    Stream<DynamicContainer> shouldPassTheTestsOfJoram() {
        ClassLoader loader = new JakartaClassLoader();
        return CLASSES.stream().map(name -> container(loader, name));
    }

    private static DynamicContainer container(ClassLoader loader, String name) {
        Class<? extends TestCase> type;
        try {
            type =
                    loader.loadClass("org.objectweb.jtests.jms.conform." + name)
                            .asSubclass(TestCase.class);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
        return DynamicContainer.dynamicContainer(
                name,
                Collections.list(new TestSuite(type).tests()).stream()
                        .map(test -> dynamicTest((TestCase) test)));
    }

    private static DynamicTest dynamicTest(TestCase test) {
        return DynamicTest.dynamicTest(
                test.getName(),
                () -> {
                    TestResult result = new TestResult();
                    test.run(result);
                    assertThat(failures(result)).isEmpty();
                });
    }

    private static List<String> failures(TestResult result) {
        return Stream.concat(
                        Collections.list(result.failures()).stream(),
                        Collections.list(result.errors()).stream())
                .map(TestFailure::trace)
                .toList();
    }
}
