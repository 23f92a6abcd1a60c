package io.cleat.jobspec.hcl;

import io.cleat.base.Secret;
import java.util.Optional;

/**
 * One thing wrong with a file, and where.
 *
 * @param file the name of the source
 * @param line the line, from 1
 * @param column the first character in the line, from 1
 * @param endColumn the column behind the last character in that line
 * @param sourceLine the line as it stands, of a long one the part around the fault; empty when it may hold a secret
 * @param cut how many characters of the line are left out before {@code sourceLine}
 * @param summary the kind of fault, a few words
 * @param detail what was given, what was expected, and what to do
 */
public record Fault(
        String file,
        int line,
        int column,
        int endColumn,
        Optional<String> sourceLine,
        int cut,
        String summary,
        String detail) {

    static Fault at(Span span, String summary, String detail) {
        Source source = span.source();
        int line = source.line(span.start());
        int column = source.column(span.start());
        int end = Math.max(span.start(), Math.min(span.end(), source.lineEnd(line)));
        int endColumn = column + source.text().codePointCount(span.start(), end);
        Optional<Source.Line> text = source.lineAround(span.start());
        // A word of a hidden line may be the secret itself, such as one that lacks its quotes.
        boolean quotesIt = text.isEmpty() && span.end() > span.start();
        String shown = quotesIt ? detail.replace(span.text(), Secret.REDACTED) : detail;
        return new Fault(
                source.name(),
                line,
                column,
                endColumn,
                text.map(Source.Line::text),
                text.map(Source.Line::cut).orElse(0),
                summary,
                shown);
    }

    /** The fault in one line: {@code file:line,column-endColumn: summary; detail}. */
    public String oneLine() {
        return file + ":" + line + "," + column + "-" + endColumn + ": " + summary + "; " + detail;
    }
}
