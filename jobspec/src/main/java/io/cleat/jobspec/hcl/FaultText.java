package io.cleat.jobspec.hcl;

import java.util.List;
import java.util.stream.Collectors;

/** Faults as a person reads them on a terminal. */
public final class FaultText {
    private final boolean colour;

    private FaultText(boolean colour) {
        this.colour = colour;
    }

    /** Text without colours, for files and pipes. */
    public static FaultText plain() {
        return new FaultText(false);
    }

    /** Text with ANSI colours. */
    public static FaultText coloured() {
        return new FaultText(true);
    }

    /** One block per fault, an empty line between two. */
    public String render(List<Fault> faults) {
        return faults.stream().map(this::render).collect(Collectors.joining("\n"));
    }

    /** The fault with its line and a caret under the place; ends with a line break. */
    public String render(Fault fault) {
        String columns = fault.endColumn() - fault.column() > 1
                ? ", columns " + fault.column() + "-" + (fault.endColumn() - 1)
                : ", column " + fault.column();
        String number = Integer.toString(fault.line());
        String margin = " ".repeat(number.length());
        StringBuilder out = new StringBuilder();
        out.append(paint("1;31", "Error: " + fault.summary())).append('\n');
        out.append("  on ").append(fault.file()).append(" line ").append(number).append(columns);
        if (fault.sourceLine().isPresent()) {
            String line = fault.sourceLine().get();
            String before = indent(line, fault.column() - fault.cut());
            int room = line.codePointCount(0, line.length()) - (fault.column() - fault.cut()) + 1;
            int width = Math.min(room, fault.endColumn() - fault.column());
            out.append(":\n  ")
                    .append(number)
                    .append(" | ")
                    .append(printable(line))
                    .append('\n');
            out.append("  ").append(margin).append(" | ").append(before);
            out.append(paint("1;31", "^".repeat(Math.max(1, width)))).append('\n');
        } else {
            out.append(" (the line is not shown, it may hold a secret)\n");
        }
        return out.append(fault.detail()).append('\n').toString();
    }

    private String paint(String code, String text) {
        return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }

    /** Control characters of a hostile file must not reach the terminal. */
    private static String printable(String line) {
        return line.codePoints()
                .map(c -> c != '\t' && Character.isISOControl(c) ? '\ufffd' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** As wide as the line before {@code column}: tabs stay tabs. */
    private static String indent(String line, int column) {
        return line.codePoints()
                .limit(column - 1L)
                .map(c -> c == '\t' ? '\t' : ' ')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
