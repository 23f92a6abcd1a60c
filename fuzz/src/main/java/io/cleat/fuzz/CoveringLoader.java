package io.cleat.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Loads the program's classes with a count at each place where the code may go two ways, so that {@link Coverage} knows
 * what an input has reached. The engines that do this for Java read no class files of this JDK; its own class file API
 * does.
 */
final class CoveringLoader extends ClassLoader {
    private static final String OURS = "io.cleat.";
    private static final String FUZZ = "io.cleat.fuzz.";

    /** Written by a generator: large, and of no interest. */
    private static final String SCHEMA = "io.cleat.csi.v1.";

    private static final int LONGEST_WORD = 40;
    private static final ClassDesc COVERAGE = ClassDesc.of(Coverage.class.getName());
    private static final MethodTypeDesc HIT = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

    private final ReentrantLock loading = new ReentrantLock();
    private final ClassFile files = ClassFile.of(
            ClassFile.DebugElementsOption.DROP_DEBUG,
            ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(getParent())));

    CoveringLoader(ClassLoader parent) {
        super("covering", parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS) || name.equals(Coverage.class.getName())) {
            return super.loadClass(name, resolve);
        }
        loading.lock();
        try {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        } finally {
            loading.unlock();
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            byte[] covered = name.startsWith(FUZZ) || name.startsWith(SCHEMA) ? bytes : covered(bytes);
            return defineClass(name, covered, 0, covered.length);
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }

    private byte[] covered(byte[] bytes) {
        ClassModel model = files.parse(bytes);
        List<String> words = new ArrayList<>();
        model.constantPool().forEach(entry -> {
            if (entry instanceof StringEntry text && isWord(text.stringValue())) {
                words.add(text.stringValue());
            }
        });
        Coverage.words(words);
        return files.transformClass(model, ClassTransform.transformingMethodBodies(CoveringLoader::count));
    }

    private static void count(CodeBuilder code, CodeElement element) {
        code.with(element);
        boolean isPlace = switch (element) {
            case LabelTarget label -> true;
            case BranchInstruction branch -> branch.opcode() != Opcode.GOTO && branch.opcode() != Opcode.GOTO_W;
            default -> false;
        };
        if (isPlace) {
            code.loadConstant(Coverage.place()).invokestatic(COVERAGE, "hit", HIT);
        }
    }

    private static boolean isWord(String text) {
        int bytes = text.getBytes(UTF_8).length;
        return bytes > 0 && bytes <= LONGEST_WORD;
    }
}
