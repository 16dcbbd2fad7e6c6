package winnow.selector.compile;

import java.util.ArrayList;
import java.util.List;

/// What the fields of a shape's class are set to, in the order of [Shape#forEach].
final class Constants {

    private final List<Integer> numbers = new ArrayList<>();
    private final List<Object> objects = new ArrayList<>();

    static Constants of(Shape shape) {
        Constants constants = new Constants();
        shape.forEach(each -> each.addTo(constants));
        return constants;
    }

    void add(int number) {
        numbers.add(number);
    }

    void add(Object object) {
        objects.add(object);
    }

    int[] numbers() {
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }

    Object[] objects() {
        return objects.toArray();
    }
}
