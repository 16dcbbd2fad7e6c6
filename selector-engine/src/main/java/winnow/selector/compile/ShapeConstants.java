package winnow.selector.compile;

import java.util.ArrayList;
import java.util.List;

/// Values of the fields of a shape's class, in the order of [Shape#forEach].
final class ShapeConstants {

    private final List<Integer> numbers = new ArrayList<>();
    private final List<Object> objects = new ArrayList<>();

    static ShapeConstants of(Shape shape) {
        ShapeConstants constants = new ShapeConstants();
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
