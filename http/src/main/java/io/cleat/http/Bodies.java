package io.cleat.http;

import io.cleat.api.Json;
import io.cleat.base.Refused;

/** Bodies of requests. */
public final class Bodies {
    private Bodies() {}

    public static <T> T read(Request request, Class<T> type) throws Refused {
        if (request.body().length == 0) {
            throw QueryParams.malformed("Request body is empty");
        }
        return Json.readSent(request.body(), type);
    }

    /** As {@link #read}, where clients may say nothing, and then mean {@code unsaid}. */
    public static <T> T readOr(Request request, Class<T> type, T unsaid) throws Refused {
        return request.body().length == 0 ? unsaid : read(request, type);
    }
}
