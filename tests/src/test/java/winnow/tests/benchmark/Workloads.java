package winnow.tests.benchmark;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The workloads of the benchmarks. Always the same for the same parameters.
final class Workloads {

    private static final int MESSAGES = 4_096;

    private Workloads() {}

    /// Sections 4.6 and 4.9 of the paper: n filters for other strings, one that matches.
    static Workload equality(int others) {
        List<String> selectors = new ArrayList<>(others + 1);
        for (int i = 1; i <= others; i++) {
            selectors.add("p = '#" + i + "'");
        }
        selectors.add("p = '#0'");
        return new Workload(selectors, List.of(Map.of("p", "#0")));
    }

    /// The same filter n times, which matches.
    static Workload identical(int subscribers) {
        return new Workload(
                Collections.nCopies(subscribers, "p = '#0'"), List.of(Map.of("p", "#0")));
    }

    /// Section 4.8 of the paper: ten filters of 25 components each, of which the one at `position`
    /// rejects, and messages of 25 properties.
    ///
    /// @param rejecting component that does not match, -1 for none
    static Workload conjunctions(int rejecting) {
        List<String> selectors = new ArrayList<>();
        for (int filter = 0; filter < 10; filter++) {
            int other = filter + 1;
            selectors.add(
                    IntStream.range(0, 25)
                            .mapToObj(i -> "p" + i + " = '#" + (i == rejecting ? other : 0) + "'")
                            .collect(Collectors.joining(" AND ")));
        }
        Map<String, Object> message = new LinkedHashMap<>();
        IntStream.range(0, 25).forEach(i -> message.put("p" + i, "#0"));
        return new Workload(selectors, List.of(message));
    }

    /// Orders of a market: 40 % one symbol, 20 % a symbol above a price, 10 % a symbol in regions
    /// and quantities, 10 % one customer, 10 % accounts by prefix, 5 % a narrow range of prices, 5
    /// % a customer or an order. There are the more different values the more selectors there are,
    /// so that a message always has about 27 matches. Messages have ten properties, of which
    /// selectors name seven.
    ///
    /// @param substringPercent how many selectors look for a word in a text instead
    static Workload market(int count, int substringPercent) {
        Random random = new Random(count);
        List<String> selectors = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            boolean substring = random.nextInt(100) < substringPercent;
            selectors.add(substring ? ofNote(random) : ofOrder(random, count));
        }
        List<Map<String, Object>> messages = new ArrayList<>(MESSAGES);
        for (int i = 0; i < MESSAGES; i++) {
            messages.add(order(random, count));
        }
        return new Workload(selectors, messages);
    }

    private static String ofOrder(Random random, int count) {
        int choice = random.nextInt(100);
        if (choice < 40) {
            return "symbol = '" + symbol(random, count) + "'";
        }
        if (choice < 60) {
            return "symbol = '" + symbol(random, count) + "' AND price > " + random.nextInt(1_000);
        }
        if (choice < 70) {
            int quantity = random.nextInt(700);
            return "region IN ('r%d', 'r%d') AND symbol = '%s' AND quantity BETWEEN %d AND %d"
                    .formatted(
                            random.nextInt(5),
                            random.nextInt(5),
                            symbol(random, count),
                            quantity,
                            quantity + 300);
        }
        if (choice < 80) {
            return "customer = '" + customer(random, count) + "'";
        }
        if (choice < 90) {
            return "account LIKE '" + account(random, count) + "%'";
        }
        if (choice < 95) {
            double price = random.nextInt(10_000_000) / 10_000.0;
            return "price BETWEEN " + price + " AND " + (price + 80_000.0 / count);
        }
        return "customer = '%s' OR orderId = %d"
                .formatted(customer(random, count), random.nextInt(count));
    }

    private static String ofNote(Random random) {
        String word = "note LIKE '%w" + (100 + random.nextInt(900)) + "%'";
        return random.nextBoolean() ? word : "NOT (region = 'r0') AND " + word;
    }

    private static Map<String, Object> order(Random random, int count) {
        Map<String, Object> order = new LinkedHashMap<>();
        order.put("sequence", random.nextInt());
        order.put("symbol", symbol(random, count));
        order.put("price", random.nextInt(10_000_000) / 10_000.0);
        order.put("quantity", random.nextInt(1_000));
        order.put("venue", "venue" + random.nextInt(10));
        order.put("region", "r" + random.nextInt(5));
        order.put("customer", customer(random, count));
        order.put("account", account(random, count) + "-" + random.nextInt(100));
        order.put("orderId", random.nextInt(count));
        order.put("note", "w" + random.nextInt(1_000) + " as w" + random.nextInt(1_000));
        return order;
    }

    private static String symbol(Random random, int count) {
        return "S" + random.nextInt(Math.max(1, count / 20));
    }

    private static String customer(Random random, int count) {
        return "customer-" + random.nextInt(Math.max(1, count / 50));
    }

    /// All of one length, so that none is the beginning of another.
    private static String account(Random random, int count) {
        return "A%06d".formatted(random.nextInt(Math.max(1, count / 50)));
    }

    /// A thousand different selectors of nine shapes, for messages of ten properties.
    static Workload manyShapes() {
        Random random = new Random(9);
        List<String> selectors = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            int a = random.nextInt(1_000);
            int b = random.nextInt(20);
            selectors.add(
                    switch (i % 9) {
                        case 0 -> "symbol = 'S" + b + "'";
                        case 1 -> "symbol = 'S" + b + "' AND price > " + a;
                        case 2 -> "region IN ('r1', 'r" + b + "') AND quantity < " + a;
                        case 3 -> "quantity BETWEEN " + a + " AND " + (a + 50);
                        case 4 -> "account LIKE 'A0000" + (10 + b) + "%'";
                        case 5 -> "customer = 'customer-" + b + "' OR price * 2 > " + (a + 900);
                        case 6 -> "NOT (region = 'r" + b + "') AND note IS NOT NULL";
                        case 7 -> "venue <> 'venue" + b + "' AND orderId + 1 < " + a;
                        default -> "note LIKE '%w" + a + "%'";
                    });
        }
        return new Workload(selectors, market(1_000, 0).messages());
    }
}
