package io.cleat.cli;

import java.io.IOException;
import java.io.OutputStream;

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

    /** All of standard input, for a file named {@code -}. Blocks until its end. */
    byte[] readAll() throws IOException;
}
