package io.cleat.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A terminal whose keyboard is a stream of bytes. */
public record StreamTerminal(
        boolean canAsk,
        boolean showsColour,
        InputStream input,
        OutputStream output,
        OutputStream errors,
        Optional<Tty> tty)
        implements Terminal {
    /**
     * This process's standard streams. The launcher says which of them are a terminal, since asking
     * {@code System.console()} costs more than most commands.
     *
     * @param tty standard input, where it is a terminal
     */
    public static StreamTerminal ofThisProcess(Supplier<Tty> tty) {
        List<String> terminals =
                List.of(System.getProperty("cleat.terminal", "").split(",", -1));
        return new StreamTerminal(
                terminals.contains("in") && terminals.contains("err"),
                terminals.contains("out"),
                System.in,
                System.out,
                System.err,
                terminals.contains("in") ? Optional.of(tty.get()) : Optional.empty());
    }

    /** Nobody to ask; standard input is {@code input}, and bytes printed are lost. */
    public static StreamTerminal withoutPerson(byte[] input) {
        OutputStream lost = OutputStream.nullOutputStream();
        return new StreamTerminal(false, false, new ByteArrayInputStream(input), lost, lost, Optional.empty());
    }

    @Override
    public String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = input.read(); next >= 0 && next != '\n'; next = input.read()) {
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    @Override
    public Interrupts beforeEnd(Runnable last) {
        Thread hook = new Thread(last, "cli/last words");
        Runtime.getRuntime().addShutdownHook(hook);
        return () -> {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException isEnding) {
                // The words are being said.
            }
        };
    }

    @Override
    public byte[] readAll() throws IOException {
        return input.readAllBytes();
    }
}
