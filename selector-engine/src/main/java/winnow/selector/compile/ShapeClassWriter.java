package winnow.selector.compile;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_byte;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import winnow.selector.slot.SlotValues;

/// Writes the class of a shape: a [Predicate] whose test is one piece of straight code, with slots
/// and constants in fields. Its instances are made from the arrays of [ShapeConstants].
///
/// ```
/// a = 'x' AND b > 5 AND NOT c     test(values):  if (values.code(i0) != i1) return false
///                                                if (!o0.test(values)) return false
///                                                ..
/// ```
final class ShapeClassWriter {

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final ClassDesc PREDICATE = describe(Predicate.class);
    private static final ClassDesc VALUES = describe(SlotValues.class);
    private static final ClassDesc THIS =
            ClassDesc.of(ShapeClassWriter.class.getPackageName(), "PredicateOfShape");
    private static final MethodTypeDesc TEST = MethodTypeDesc.of(CD_boolean, VALUES);
    private static final MethodTypeDesc CODES_TYPE = MethodTypeDesc.of(CD_int.arrayType());
    private static final MethodTypeDesc NEW =
            MethodTypeDesc.of(CD_void, CD_int.arrayType(), CD_Object.arrayType());
    private static final MethodType FACTORY =
            MethodType.methodType(Predicate.class, int[].class, Object[].class);

    /// Slots of local variables: of both methods, then of one each.
    private static final int SELF = 0;

    private static final int TESTED = 1;
    private static final int CODES = 2;
    private static final int NUMBERS = 1;
    private static final int OBJECTS = 2;

    private int numbers;

    /// The types of the fields that are not numbers.
    private final List<ClassDesc> objects = new ArrayList<>();

    private ShapeClassWriter() {}

    /// A hidden class, and of it what makes an instance: `(int[], Object[]) -> Predicate`.
    static MethodHandle define(Shape shape) {
        byte[] bytes =
                ClassFile.of().build(THIS, type -> new ShapeClassWriter().write(type, shape));
        try {
            MethodHandles.Lookup hidden = LOOKUP.defineHiddenClass(bytes, true);
            return hidden.findConstructor(
                            hidden.lookupClass(), FACTORY.changeReturnType(void.class))
                    .asType(FACTORY);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("class of shape " + shape, e);
        }
    }

    private void write(ClassBuilder type, Shape shape) {
        type.withFlags(ClassFile.ACC_FINAL).withSuperclass(PREDICATE);
        type.withMethodBody(
                "test",
                TEST,
                ClassFile.ACC_PUBLIC,
                code -> {
                    Label otherwise = code.newLabel();
                    code.aload(TESTED).invokevirtual(VALUES, "codes", CODES_TYPE);
                    code.astore(CODES);
                    test(code, shape, otherwise);
                    code.iconst_1().ireturn();
                    code.labelBinding(otherwise).iconst_0().ireturn();
                });
        for (int i = 0; i < numbers; i++) {
            type.withField("i" + i, CD_int, ClassFile.ACC_FINAL);
        }
        for (int i = 0; i < objects.size(); i++) {
            type.withField("o" + i, objects.get(i), ClassFile.ACC_FINAL);
        }
        type.withMethodBody(INIT_NAME, NEW, 0, this::construct);
    }

    private void construct(CodeBuilder code) {
        code.aload(SELF).invokespecial(PREDICATE, INIT_NAME, MethodTypeDesc.of(CD_void));
        for (int i = 0; i < numbers; i++) {
            code.aload(SELF).aload(NUMBERS).loadConstant(i).iaload();
            code.putfield(THIS, "i" + i, CD_int);
        }
        for (int i = 0; i < objects.size(); i++) {
            code.aload(SELF).aload(OBJECTS).loadConstant(i).aaload().checkcast(objects.get(i));
            code.putfield(THIS, "o" + i, objects.get(i));
        }
        code.return_();
    }

    /// Code that falls through if the shape is true for the tested values, and else jumps. Takes
    /// the constants in the order of [Shape#forEach].
    private void test(CodeBuilder code, Shape shape, Label otherwise) {
        switch (shape) {
            case Shape.All(List<Shape> operands) ->
                    operands.forEach(operand -> test(code, operand, otherwise));
            case Shape.Any(List<Shape> operands) -> testAny(code, operands, otherwise);
            case Shape.PresentUnless(int _, Shape whenTrue) -> {
                kind(code).ifeq(otherwise);
                Label holds = code.newLabel();
                test(code, whenTrue, holds);
                code.goto_(otherwise).labelBinding(holds);
            }
            case Shape.StringIs _ -> testString(code, otherwise);
            case Shape.KindIs(int _, byte kind, boolean wanted) -> {
                kind(code).loadConstant(kind);
                if (wanted) {
                    code.if_icmpne(otherwise);
                } else {
                    code.if_icmpeq(otherwise);
                }
            }
            case Shape.Other(Predicate predicate) -> {
                ClassDesc type = describe(predicate.getClass());
                object(code, type).aload(TESTED).invokevirtual(type, "test", TEST);
                code.ifeq(otherwise);
            }
        }
    }

    private void testAny(CodeBuilder code, List<Shape> operands, Label otherwise) {
        Label holds = code.newLabel();
        for (Shape operand : operands) {
            Label next = code.newLabel();
            test(code, operand, next);
            code.goto_(holds).labelBinding(next);
        }
        code.goto_(otherwise).labelBinding(holds);
    }

    /// Compares with the code as it is, and only if it differs with the one that is looked up.
    private void testString(CodeBuilder code, Label otherwise) {
        String slot = "i" + numbers++;
        String wanted = "i" + numbers++;
        Label holds = code.newLabel();
        code.aload(CODES).aload(SELF).getfield(THIS, slot, CD_int).iaload();
        code.aload(SELF).getfield(THIS, wanted, CD_int).if_icmpeq(holds);
        code.aload(TESTED).aload(SELF).getfield(THIS, slot, CD_int);
        code.invokevirtual(VALUES, "code", MethodTypeDesc.of(CD_int, CD_int));
        code.aload(SELF).getfield(THIS, wanted, CD_int).if_icmpne(otherwise);
        code.labelBinding(holds);
    }

    /// Pushes the kind of the next number's slot.
    private CodeBuilder kind(CodeBuilder code) {
        code.aload(TESTED);
        return number(code).invokevirtual(VALUES, "kind", MethodTypeDesc.of(CD_byte, CD_int));
    }

    private CodeBuilder number(CodeBuilder code) {
        return code.aload(SELF).getfield(THIS, "i" + numbers++, CD_int);
    }

    private CodeBuilder object(CodeBuilder code, ClassDesc type) {
        objects.add(type);
        return code.aload(SELF).getfield(THIS, "o" + (objects.size() - 1), type);
    }

    private static ClassDesc describe(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }
}
