package winnow.client.option;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalNamesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    org.acme.Orders --password secret | Orders
                    Orders | Orders
                    org.acme.desk.Main orders | desk
                    Main | Main
                    org.acme/org.acme.Orders x | Orders
                    /opt/orders-1.2.jar --password secret | orders-1.2
                    C:\\orders\\desk.jar | desk
                    '' | ''
                    """)
    void shouldNameTheProgramByItsMainClassOrJarAndTellNoArgument(String command, String name) {
        assertThat(LocalNames.program(command)).isEqualTo(name);
    }
}
