package io.cleat.fuzz;

import java.lang.reflect.InvocationTargetException;

/** {@code ./dev fuzz}: starts {@link Fuzz} with the program's classes loaded so that it is seen where inputs go. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        ClassLoader covering = new CoveringLoader(Main.class.getClassLoader());
        Thread.currentThread().setContextClassLoader(covering);
        try {
            covering.loadClass("io.cleat.fuzz.Fuzz")
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) args);
        } catch (InvocationTargetException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }
}
