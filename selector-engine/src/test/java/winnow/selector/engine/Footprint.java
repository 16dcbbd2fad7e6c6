package winnow.selector.engine;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Counts the fields and array elements that an object leads to: how large it is, the same on every
/// machine. Of a collection of the Java library the elements count and not its capacity.
public final class Footprint {

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> open = new ArrayDeque<>();
    private long size;

    private Footprint() {}

    public static long of(Object root) {
        Footprint footprint = new Footprint();
        footprint.add(root);
        while (!footprint.open.isEmpty()) {
            footprint.look(footprint.open.remove());
        }
        return footprint.size;
    }

    private void add(@Nullable Object object) {
        if (object != null && seen.add(object)) {
            open.add(object);
        }
    }

    private void look(Object object) {
        switch (object) {
            case Map<?, ?> map -> {
                size += 2L * map.size();
                map.forEach((key, value) -> {
                    add(key);
                    add(value);
                });
            }
            case Collection<?> collection -> {
                size += collection.size();
                collection.forEach(this::add);
            }
            case AtomicReferenceArray<?> array -> {
                size += array.length();
                for (int i = 0; i < array.length(); i++) {
                    add(array.get(i));
                }
            }
            default -> lookInside(object);
        }
    }

    private void lookInside(Object object) {
        Class<?> type = object.getClass();
        if (type.isArray()) {
            int length = Array.getLength(object);
            size += length;
            for (int i = 0; !type.getComponentType().isPrimitive() && i < length; i++) {
                add(Array.get(object, i));
            }
            return;
        }
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (each.getName().startsWith("winnow.")) {
                for (Field field : each.getDeclaredFields()) {
                    look(object, field);
                }
            }
        }
    }

    private void look(Object object, Field field) {
        if (Modifier.isStatic(field.getModifiers())) {
            return;
        }
        size++;
        if (field.getType().isPrimitive()) {
            return;
        }
        try {
            field.setAccessible(true);
            add(field.get(object));
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
