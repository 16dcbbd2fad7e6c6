package winnow.tests.joram;

import java.io.IOException;
import java.io.InputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/// Loads the suite as if it were written for `jakarta.jms`: it is older than that name. What it
/// asks of a provider is loaded with it.
final class JakartaClassLoader extends ClassLoader {
    private static final String SUITE = "org.objectweb.jtests.";

    private static final Remapper JAKARTA =
            new Remapper(org.objectweb.asm.Opcodes.ASM9) {
                @Override
                public String map(String internalName) {
                    return internalName.startsWith("javax/jms/")
                            ? "jakarta/jms/" + internalName.substring("javax/jms/".length())
                            : internalName;
                }
            };

    JakartaClassLoader() {
        super(JakartaClassLoader.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            var loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            return name.startsWith(SUITE) || name.startsWith(JoramProvider.class.getName())
                    ? findClass(name)
                    : super.loadClass(name, resolve);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            var writer = new ClassWriter(0);
            new ClassReader(in).accept(new ClassRemapper(writer, JAKARTA), 0);
            var bytes = writer.toByteArray();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
