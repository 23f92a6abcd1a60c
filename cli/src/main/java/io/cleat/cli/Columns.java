package io.cleat.cli;

import io.cleat.base.VisibleText;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A table whose columns line up, two spaces apart; what is empty reads {@code <none>}. */
public final class Columns {
    private static final Pattern LINE_ENDS = Pattern.compile("[\\s&&[^ ]]+");

    private final List<List<String>> rows = new ArrayList<>();

    Columns(String... titles) {
        rows.add(List.of(titles));
    }

    /** Adds a row; one cell per title. */
    Columns row(String... cells) {
        rows.add(List.of(cells));
        return this;
    }

    /** Whether there is no row below the titles. */
    boolean isEmpty() {
        return rows.size() == 1;
    }

    /** The table's lines, titles first. */
    String text() {
        return lay(rows, "  ");
    }

    /** Lays {@code rows} out with {@code glue} between their cells. The last cell is not padded. */
    public static String lay(List<List<String>> rows, String glue) {
        int count = rows.stream().mapToInt(List::size).max().orElse(0);
        int[] widths = new int[count];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], width(cell(row, i)));
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            if (!text.isEmpty()) {
                text.append('\n');
            }
            for (int i = 0; i < row.size(); i++) {
                String cell = cell(row, i);
                text.append(cell);
                if (i + 1 < row.size()) {
                    text.repeat(' ', widths[i] - width(cell)).append(glue);
                }
            }
        }
        return text.toString();
    }

    private static String cell(List<String> row, int column) {
        String cell = printable(row.get(column).strip());
        return cell.isEmpty() ? "<none>" : cell;
    }

    /** A plugin's words may hold anything; what moves the cursor would break the table, or worse. */
    private static String printable(String cell) {
        return VisibleText.line(LINE_ENDS.matcher(cell).replaceAll(" "));
    }

    private static int width(String cell) {
        return (int) cell.codePoints().filter(Columns::hasWidth).count();
    }

    /** Accents of their own stand on the character before. */
    private static boolean hasWidth(int point) {
        int type = Character.getType(point);
        return type != Character.NON_SPACING_MARK && type != Character.ENCLOSING_MARK;
    }
}
