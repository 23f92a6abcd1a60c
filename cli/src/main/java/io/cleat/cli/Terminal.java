package io.cleat.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/** The person at the keyboard, or the lack of one. */
public interface Terminal {
    /** Whether questions can be asked: standard input and standard error are a terminal. */
    boolean canAsk();

    /** Whether standard output is a terminal, so that colours make sense. */
    boolean showsColour();

    /** The next line of standard input without its end; empty at the end of input. Blocks. */
    String readLine() throws IOException;

    /** Standard output, for what is no text. */
    OutputStream output();

    /** Standard error, for what is no text. */
    OutputStream errors();

    /** Standard input, as it comes. */
    InputStream input();

    /** The terminal that standard input is; empty if it is none. */
    Optional<Tty> tty();

    /** A terminal that can be handed to a program elsewhere. */
    interface Tty {
        /** In characters. */
        record Size(int rows, int columns) {}

        Size size() throws IOException;

        /**
         * From now on each key is passed on as it is, {@code Ctrl-C} too, and not shown, until what is returned is
         * closed, or this process ends.
         */
        Raw raw() throws IOException;

        /** What closing ends. */
        interface Raw extends AutoCloseable {
            @Override
            void close() throws IOException;
        }
    }

    /**
     * From now on {@code last} runs before this process ends by a signal such as {@code Ctrl-C}, until what is returned
     * is closed.
     */
    Interrupts beforeEnd(Runnable last);

    /** What closing ends. */
    interface Interrupts extends AutoCloseable {
        @Override
        void close();
    }

    /** All of standard input, for a file named {@code -}. Blocks until its end. */
    byte[] readAll() throws IOException;
}
