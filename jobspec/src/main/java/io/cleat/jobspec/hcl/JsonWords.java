package io.cleat.jobspec.hcl;

import tools.jackson.core.JacksonException;

/** What is wrong with a JSON text, in the words of its reader. */
public final class JsonWords {
    private JsonWords() {}

    /** A phrase without a full stop; what the reader says of its own settings is left out. */
    public static String of(JacksonException unreadable) {
        String said = unreadable.getOriginalMessage();
        if (said == null) {
            return "it cannot be read here";
        }
        int aside = said.indexOf(" (");
        return aside < 0 ? said : said.substring(0, aside);
    }
}
