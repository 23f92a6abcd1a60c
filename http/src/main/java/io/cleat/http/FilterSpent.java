package io.cleat.http;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;

/**
 * A filter has used up its work in the middle of a list. It is unchecked because a list is walked
 * by views and streams that know nothing of filters; {@link Dispatcher} and {@link JettyBridge}
 * answer with its refusal.
 */
final class FilterSpent extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Refusal refusal;

    FilterSpent(Refused refused) {
        super(refused);
        this.refusal =
                new Refusal.Malformed(
                        "filter: "
                                + refused.refusal().message()
                                + " (or ask for pages with per_page, or for a prefix)");
    }

    Refusal refusal() {
        return refusal;
    }
}
