package io.cleat.launch;

import io.cleat.cli.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * This process's standard streams. The launcher says which of them are a terminal, since asking
 * {@code System.console()} costs more than most commands.
 */
record ProcessTerminal(boolean canAsk, boolean showsColour, InputStream input) implements Terminal {
    static ProcessTerminal ofThisProcess() {
        List<String> terminals = List.of(System.getProperty("cleat.terminal", "").split(",", -1));
        return new ProcessTerminal(
                terminals.contains("in") && terminals.contains("err"),
                terminals.contains("out"),
                System.in);
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
