package io.cleat.api;

import io.cleat.base.LinkTrouble;
import io.cleat.base.Refused;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/** Variables over HTTP. */
public final class VariablesClient {
    private static final TypeReference<List<VariableMetadata>> LIST = new TypeReference<>() {};
    private static final int CONFLICT = 409;

    /** What is done with the lock of a variable. */
    public enum LockCall {
        ACQUIRE,
        RENEW,
        RELEASE
    }

    private final CleatClient client;

    VariablesClient(CleatClient client) {
        this.client = client;
    }

    /** By namespace and path. */
    public Answer<List<VariableMetadata>> list(Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/vars", params, LIST);
    }

    public Answer<Variable> get(String path, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(path), params, Variable.class);
    }

    /**
     * Makes a variable, or gives it other items.
     *
     * @param ifModifyIndex the index it must have, 0 for none; null for whatever it has
     * @return as it is stored
     * @throws UnexpectedAnswer see {@link #conflict}
     */
    public Variable put(Variable variable, @Nullable Long ifModifyIndex) throws UnexpectedAnswer, LinkTrouble {
        Params params = cas(variable, ifModifyIndex);
        return client.put(path(variable.Path()), params, variable, Variable.class)
                .body();
    }

    /**
     * Forgets a variable.
     *
     * @param ifModifyIndex as of {@link #put}
     */
    public void delete(String path, @Nullable Long ifModifyIndex) throws UnexpectedAnswer, LinkTrouble {
        Params params = Params.none().with("cas", ifModifyIndex == null ? "" : "" + ifModifyIndex);
        client.send("DELETE", path(path), params, Map.of());
    }

    /** Takes, renews or gives back the lock of a variable. */
    public Variable lock(LockCall call, Variable variable) throws UnexpectedAnswer, LinkTrouble {
        String name = switch (call) {
            case ACQUIRE -> "lock-acquire";
            case RENEW -> "lock-renew";
            case RELEASE -> "lock-release";
        };
        Params params = Params.none().namespace(variable.Namespace()).with(name, true);
        return client.put(path(variable.Path()), params, variable, Variable.class)
                .body();
    }

    /** The variable that stood in the way, where that is what an answer says. */
    public static Optional<Variable> conflict(UnexpectedAnswer answer) {
        if (answer.status() != CONFLICT) {
            return Optional.empty();
        }
        try {
            return Optional.of(Json.read(answer.body(), Variable.class));
        } catch (Refused unreadable) {
            return Optional.empty();
        }
    }

    private static Params cas(Variable variable, @Nullable Long ifModifyIndex) {
        return Params.none()
                .namespace(variable.Namespace())
                .with("cas", ifModifyIndex == null ? "" : String.valueOf(ifModifyIndex));
    }

    /** Slashes stay: they are part of the path that the variable has. */
    private static String path(String path) {
        return "/v1/var/"
                + Arrays.stream(path.split("/", -1)).map(Params::escape).collect(Collectors.joining("/"));
    }
}
