package io.cleat.http;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.TextRule;
import java.util.Locale;

/** What an agent logs, for those who follow it. Any thread may call. */
@FunctionalInterface
public interface AgentLog {
    /** Of a process that logs to nobody. */
    AgentLog NONE = (level, json) -> {
        throw new Refused(new Refusal.NotFound("this agent keeps no log that can be read here"));
    };

    /**
     * Follows it from now on: each piece is one or more whole lines, and there is no end.
     *
     * @param json whether each line is a JSON object
     * @throws Refused too many follow it already
     */
    PieceReader follow(Severity level, boolean json) throws Refused;

    /** How much is wanted; each has what the ones after it have. */
    enum Severity {
        TRACE,
        DEBUG,
        INFO,
        WARN,
        ERROR;

        /**
         * The one of a query.
         *
         * @param word in any case; empty for {@link #INFO}
         */
        public static Severity of(String word) throws Refused {
            for (Severity level : values()) {
                if (level.name().equals(word.toUpperCase(Locale.ROOT))) {
                    return level;
                }
            }
            if (word.isEmpty()) {
                return INFO;
            }
            throw QueryParams.malformed(
                    "Unknown log level: " + TextRule.quoted(word) + "; expected trace, debug, info, warn or error");
        }
    }
}
