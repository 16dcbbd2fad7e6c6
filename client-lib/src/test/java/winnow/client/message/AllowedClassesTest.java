package winnow.client.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class AllowedClassesTest {

    private static byte[] serialised(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    private static Object read(byte[] bytes, ObjectInputFilter filter) throws Exception {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            in.setObjectInputFilter(filter);
            return in.readObject();
        }
    }

    @Test
    void shouldMakeNoArrayThatIsLargerThanTheBody() throws Exception {
        // given an array that says it has as many elements as the body has bytes, and has one
        byte[] bytes = serialised(new long[1]);
        ByteBuffer.wrap(bytes).putInt(bytes.length - Long.BYTES - Integer.BYTES, bytes.length);

        // then
        assertThatThrownBy(
                        () -> read(bytes, AllowedClasses.NONE.ofBody(bytes.length, new HashWork())))
                .isInstanceOf(InvalidClassException.class)
                .hasMessageContaining("REJECTED");
    }

    /// Arrays in arrays, of which each may be as large as the body, would be more than the heap.
    @Test
    void shouldCountTheBytesOfAllArraysOfABody() throws Exception {
        // given 2 references and 2 * 99 elements of 8 bytes
        byte[] bytes = serialised(new long[2][99]);

        // then
        assertThat(read(bytes, AllowedClasses.NONE.ofBody(1_584, new HashWork())))
                .isEqualTo(new long[2][99]);
        assertThatThrownBy(() -> read(bytes, AllowedClasses.NONE.ofBody(1_583, new HashWork())))
                .isInstanceOf(InvalidClassException.class);
    }

    @Test
    void shouldReadCollectionsThatAskForMoreThanTheyHave() throws Exception {
        // given
        List<Map<String, Integer>> maps = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            maps.add(new HashMap<>());
            maps.add(new IdentityHashMap<>());
            maps.add(new TreeMap<>(Map.of("x", i)));
        }
        for (int i = 0; i < 1_000; i++) {
            maps.get(i % 30).put("x" + i, null);
        }
        List<Object> all = List.of(maps, new HashSet<>(List.of(1, 2, 3)));
        byte[] bytes = serialised(new ArrayList<>(all));
        AllowedClasses allowed = new AllowedClasses(List.of("java.util.*"));

        // then
        assertThat(read(bytes, allowed.ofBody(bytes.length, new HashWork())))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(2);
    }
}
