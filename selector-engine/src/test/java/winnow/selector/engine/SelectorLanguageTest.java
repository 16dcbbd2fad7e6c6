package winnow.selector.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static winnow.selector.engine.Verdicts.truthOf;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import winnow.selector.expression.Truth;

/// The language of 3.8.1, one table per rule: selector and its value for one message. In the
/// message, names that begin with `missing` do not occur.
class SelectorLanguageTest {

    private static final Map<String, Object> MESSAGE = message();

    private static Map<String, Object> message() {
        Map<String, Object> message = new HashMap<>();
        message.put("i", 5);
        message.put("z", 0);
        message.put("l", 5_000_000_000L);
        message.put("by", (byte) 5);
        message.put("sh", (short) 5);
        message.put("f", 0.1f);
        message.put("d", 0.1);
        message.put("big", 16_777_217L);
        message.put("bigf", 16_777_216f);
        message.put("max", Integer.MAX_VALUE);
        message.put("lmax", Long.MAX_VALUE);
        message.put("lmin", Long.MIN_VALUE);
        message.put("nz", -0.0);
        message.put("nan", Double.NaN);
        message.put("inf", Double.POSITIVE_INFINITY);
        message.put("s", "abc");
        message.put("five", "5");
        message.put("empty", "");
        message.put("quote", "it's");
        message.put("lines", "a\nb");
        message.put("smile", "x\uD83D\uDE00y");
        message.put("b", true);
        message.put("nob", false);
        message.put("bytes", new byte[] {1});
        message.put("_a$1", 1);
        message.put("\u00E4", 1);
        message.put("\uD835\uDC00", 1);
        message.put("XPATH", 1);
        message.put("JMSXGroupID", "g");
        message.put("JMSXGroupSeq", 3);
        message.put("JMS_vendor", 1);
        message.put("JMSPriority", 4);
        message.put("JMSDeliveryMode", "PERSISTENT");
        message.put("JMSMessageID", "ID:1");
        message.put("JMSTimestamp", 1_700_000_000_000L);
        message.put("JMSType", "quote");
        return message;
    }

    private static void check(String selector, Truth expected) {
        // when
        Truth truth = truthOf(selector, MESSAGE);

        // then
        assertThat(truth).as(selector).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/follow-the-truth-tables.csv",
            delimiter = '|',
            quoteCharacter = '~')
    void shouldFollowTheTruthTables(String selector, Truth expected) {
        check(selector, expected);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/bind-operators-by-precedence-and-from-the-left.csv",
            delimiter = '|',
            quoteCharacter = '~')
    void shouldBindOperatorsByPrecedenceAndFromTheLeft(String selector, Truth expected) {
        check(selector, expected);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/ignore-the-case-of-keywords-but-not-of-names.csv",
            delimiter = '|',
            quoteCharacter = '~')
    void shouldIgnoreTheCaseOfKeywordsButNotOfNames(String selector, Truth expected) {
        check(selector, expected);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/compare-like-types.csv",
            delimiter = '|',
            quoteCharacter = '~')
    void shouldCompareLikeTypes(String selector, Truth expected) {
        check(selector, expected);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/be-false-when-types-are-not-alike.csv",
            delimiter = '|',
            quoteCharacter = '~')
    void shouldBeFalseWhenTypesAreNotAlike(String selector, Truth expected) {
        check(selector, expected);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/be-unknown-when-a-value-is-missing.csv",
            delimiter = '|',
            quoteCharacter = '~')
    void shouldBeUnknownWhenAValueIsMissing(String selector, Truth expected) {
        check(selector, expected);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/take-a-boolean-identifier-as-a-condition.csv",
            delimiter = '|',
            quoteCharacter = '~')
    void shouldTakeABooleanIdentifierAsACondition(String selector, Truth expected) {
        check(selector, expected);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/promote-numbers-as-java-does.csv",
            delimiter = '|',
            quoteCharacter = '~')
    void shouldPromoteNumbersAsJavaDoes(String selector, Truth expected) {
        check(selector, expected);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/calculate-as-java-does.csv",
            delimiter = '|',
            quoteCharacter = '~')
    void shouldCalculateAsJavaDoes(String selector, Truth expected) {
        check(selector, expected);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/treat-between-as-two-comparisons.csv",
            delimiter = '|',
            quoteCharacter = '~')
    void shouldTreatBetweenAsTwoComparisons(String selector, Truth expected) {
        check(selector, expected);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/look-for-a-string-in-a-list.csv",
            delimiter = '|',
            quoteCharacter = '~')
    void shouldLookForAStringInAList(String selector, Truth expected) {
        check(selector, expected);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/read-header-fields.csv",
            delimiter = '|',
            quoteCharacter = '~')
    void shouldReadHeaderFields(String selector, Truth expected) {
        check(selector, expected);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/read-literals-in-java-syntax.csv",
            delimiter = '|',
            quoteCharacter = '~')
    void shouldReadLiteralsInJavaSyntax(String selector, Truth expected) {
        check(selector, expected);
    }
}
