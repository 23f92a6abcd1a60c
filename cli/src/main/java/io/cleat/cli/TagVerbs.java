package io.cleat.cli;

import io.cleat.api.JobStub;
import io.cleat.api.JobTagResponse;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tags of job versions. */
final class TagVerbs {
    private TagVerbs() {}

    static List<Verb> all() {
        return List.of(
                Verb.named("job tag apply", "Tag a version of a job")
                        .takes(1, 1, "<job>")
                        .about("Gives a version of a job a name, by which it can be compared and"
                                + " brought back. A version with a tag is kept until the tag"
                                + " is taken away, or the job purged; 20 versions of a job"
                                + " may have one.")
                        .flags(
                                Flag.value("name", "name", "Name of the tag (required)."),
                                Flag.value("description", "text", "What is to be known of it."),
                                Flag.value("version", "number", "Version (default: the newest)."))
                        .examples(
                                "cleat job tag apply -name=golden web",
                                "cleat job tag apply -name=golden -version=3 -description=\"before the move\" web")
                        .does(TagVerbs::apply),
                Verb.named("job tag unset", "Take a tag away")
                        .takes(1, 1, "<job>")
                        .flags(Flag.value("name", "name", "Name of the tag (required)."))
                        .examples("cleat job tag unset -name=golden web")
                        .does(TagVerbs::unset));
    }

    private static String name(Call call) throws Failure {
        return call.flags()
                .value("name")
                .filter(name -> !name.isEmpty())
                .orElseThrow(() -> new Failure("name the tag, such as -name=golden"));
    }

    private static int apply(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        String name = name(call);
        @Nullable Long version = version(call.flags().value("version"));
        JobStub found = JobVerbs.find(call, call.argument(0));
        JobTagResponse tag = call.clientIn(found.Namespace())
                .jobs()
                .tag(found.ID(), name, call.flags().value("description").orElse(""), version, Params.none())
                .body();
        call.out("Job version %stagged with name \"%s\"".formatted(version == null ? "" : version + " ", tag.Name()));
        return 0;
    }

    private static @Nullable Long version(Optional<String> given) throws Failure {
        if (given.isEmpty()) {
            return null;
        }
        try {
            return Long.valueOf(given.get());
        } catch (NumberFormatException notOne) {
            throw new Failure("-version is a number, got \"%s\"".formatted(given.get()));
        }
    }

    private static int unset(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        String name = name(call);
        JobStub found = JobVerbs.find(call, call.argument(0));
        call.clientIn(found.Namespace()).jobs().untag(found.ID(), name, Params.none());
        call.out("JobTag \"%s\" removed from job \"%s\"".formatted(name, found.ID()));
        return 0;
    }
}
