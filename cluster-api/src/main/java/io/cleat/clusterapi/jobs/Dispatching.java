package io.cleat.clusterapi.jobs;

import io.cleat.api.JobDispatchRequest;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.TextRule;
import io.cleat.model.PayloadRule;
import java.util.Base64;
import java.util.Map;

/** What may be sent along when a copy of a job is asked for, whatever the job says. */
final class Dispatching {
    /** Base64 has four characters for three bytes; how many more there are is told of the bytes. */
    private static final int MOST_CHARACTERS = 64 * 1024;

    private Dispatching() {}

    /** The payload, in base64 of the one usual form; empty for none. */
    static String payload(JobDispatchRequest request) throws Refused {
        if (!request.IdPrefixTemplate().isEmpty()) {
            throw invalid("a template for the ids of dispatched jobs is not supported: leave it out");
        }
        if (request.Priority() < 0 || request.Priority() > 100) {
            throw invalid("Job priority must be between [1, 100]");
        }
        String given = request.Payload() == null ? "" : request.Payload();
        if (given.length() > MOST_CHARACTERS) {
            throw invalid("Payload exceeds maximum size; at most " + PayloadRule.MOST_BYTES + " bytes");
        }
        try {
            return Base64.getEncoder().encodeToString(Base64.getDecoder().decode(given));
        } catch (IllegalArgumentException wrong) {
            throw invalid("Payload is not base64: " + wrong.getMessage());
        }
    }

    static Map<String, String> meta(JobDispatchRequest request) throws Refused {
        Map<String, String> meta = request.Meta() == null ? Map.of() : request.Meta();
        for (Map.Entry<String, String> entry : meta.entrySet()) {
            if (entry.getValue() == null) {
                throw invalid("meta " + TextRule.quoted(entry.getKey()) + " has no value");
            }
        }
        return meta;
    }

    private static Refused invalid(String words) {
        return new Refused(new Refusal.Invalid(words));
    }
}
