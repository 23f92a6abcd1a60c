package io.cleat.jobspec.hcl;

/** A part of a source, from {@code start} (included) to {@code end} (not included). */
public record Span(Source source, int start, int end) {
    /** From the start of this to the end of {@code last}. */
    Span to(Span last) {
        return new Span(source, start, last.end);
    }

    String text() {
        return source.text().substring(start, end);
    }

    /** {@code file:line,column}, as messages name a second place. */
    public String place() {
        return source.name() + ":" + source.line(start) + "," + source.column(start);
    }
}
