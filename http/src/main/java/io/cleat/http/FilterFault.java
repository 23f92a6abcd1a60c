package io.cleat.http;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;

/**
 * A filter is refused in the middle of a list: it has used up its work, or asks for a field that
 * its objects do not have. It is unchecked because a list is walked by views and streams that know
 * nothing of filters; {@link Dispatcher} and {@link JettyBridge} answer with its refusal.
 */
final class FilterFault extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Refusal refusal;

    private FilterFault(String words, Throwable cause) {
        super(words, cause);
        this.refusal = new Refusal.Malformed("filter: " + words);
    }

    static FilterFault spent(Refused refused) {
        return new FilterFault(
                refused.refusal().message() + " (or ask for pages with per_page, or for a prefix)",
                refused);
    }

    static FilterFault unknown(Refused refused) {
        return new FilterFault(refused.refusal().message(), refused);
    }

    Refusal refusal() {
        return refusal;
    }
}
