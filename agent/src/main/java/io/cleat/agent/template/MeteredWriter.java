package io.cleat.agent.template;

import io.cleat.base.Meter;
import io.cleat.base.MeteredText;
import io.cleat.base.Refused;
import java.io.IOException;
import java.io.Writer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** What somebody else writes, at the cost of a meter. For one thread. */
final class MeteredWriter extends Writer {
    private final MeteredText out;
    private @Nullable Refused refused;

    /** Something that writes. */
    @FunctionalInterface
    interface Writing {
        void to(Writer out);
    }

    private MeteredWriter(Meter meter) {
        this.out = new MeteredText(meter);
    }

    /**
     * What is written.
     *
     * @throws Refused it is more than the meter has left
     */
    static String text(Meter meter, Writing writing) throws Refused {
        MeteredWriter writer = new MeteredWriter(meter);
        try {
            writing.to(writer);
        } catch (JacksonException failed) {
            Refused cause = writer.refused;
            throw cause != null ? cause : Arguments.wrong(failed.getOriginalMessage());
        }
        return writer.out.toString();
    }

    @Override
    public void write(char[] from, int at, int length) throws IOException {
        try {
            out.add(new String(from, at, length));
        } catch (Refused tooMuch) {
            refused = tooMuch;
            throw new IOException(tooMuch);
        }
    }

    @Override
    public void flush() {
        // It is all here.
    }

    @Override
    public void close() {
        // It is all here.
    }
}
