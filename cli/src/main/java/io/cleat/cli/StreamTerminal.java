package io.cleat.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A terminal whose keyboard is a stream of bytes. */
public record StreamTerminal(
        boolean canAsk, boolean showsColour, InputStream input, OutputStream output)
        implements Terminal {
    /**
     * This process's standard streams. The launcher says which of them are a terminal, since asking
     * {@code System.console()} costs more than most commands.
     */
    public static StreamTerminal ofThisProcess() {
        List<String> terminals = List.of(System.getProperty("cleat.terminal", "").split(",", -1));
        return new StreamTerminal(
                terminals.contains("in") && terminals.contains("err"),
                terminals.contains("out"),
                System.in,
                System.out);
    }

    /** Nobody to ask; standard input is {@code input}, and bytes printed are lost. */
    public static StreamTerminal withoutPerson(byte[] input) {
        return new StreamTerminal(
                false, false, new ByteArrayInputStream(input), OutputStream.nullOutputStream());
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
    public byte[] readAll() throws IOException {
        return input.readAllBytes();
    }
}
