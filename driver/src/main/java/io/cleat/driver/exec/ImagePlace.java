package io.cleat.driver.exec;

import io.cleat.driver.TaskConfig;
import io.cleat.driver.registry.ImageName;
import io.cleat.kernel.Place;
import io.cleat.kernel.TextPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where the image of a task is that its job names. */
final class ImagePlace {
    private static final String LOCAL = "local/";
    private static final String ALLOC = "/alloc/";

    private ImagePlace() {}

    /** What is wrong with a name; empty if nothing is. */
    static Optional<String> fault(String image, List<Path> allowed) {
        if (isOfTask(image)) {
            return isPlain(image)
                    ? Optional.empty()
                    : Optional.of("image must be a path of plain names, such as local/image.tar, it is: " + image);
        }
        if (!image.startsWith("/")) {
            return ImageName.of(image).isPresent()
                    ? Optional.empty()
                    : Optional.of("image must be such as redis:7, registry.example/team/app:1.2 or"
                            + " app@sha256:..., or a path such as local/image.tar, it is: "
                            + image);
        }
        return isPlain(image) && above(image, allowed).isPresent()
                ? Optional.empty()
                : Optional.of("image is "
                        + image
                        + "; beside paths in local/ and /alloc/ this node allows "
                        + (allowed.isEmpty() ? "none" : allowed)
                        + " (-exec-image-path)");
    }

    /** Of a name without fault. */
    static TaskImages.Source of(String image, ExecBlock.Pulling pulling, TaskConfig config, List<Path> allowed) {
        if (image.startsWith(ALLOC)) {
            return new TaskImages.Source.Local(new Place(config.allocDir(), image.substring(ALLOC.length())));
        }
        if (isOfTask(image)) {
            String below = image.startsWith("/") ? image.substring(1) : image;
            return new TaskImages.Source.Local(new Place(config.taskDir(), below));
        }
        if (image.startsWith("/")) {
            Path path = TextPath.of(image).orElseThrow();
            return new TaskImages.Source.Local(Place.of(above(image, allowed).orElseThrow(), path));
        }
        return new TaskImages.Source.Remote(
                ImageName.of(image).orElseThrow(), pulling.login(), pulling.force(), pulling.within());
    }

    private static boolean isOfTask(String image) {
        return image.startsWith(LOCAL) || image.startsWith("/" + LOCAL) || image.startsWith(ALLOC);
    }

    private static boolean isPlain(String image) {
        return TextPath.of(image)
                .filter(path -> path.normalize().equals(path) && path.toString().equals(image))
                .filter(path -> !path.startsWith(".."))
                .isPresent();
    }

    private static Optional<Path> above(String image, List<Path> allowed) {
        return TextPath.of(image)
                .flatMap(path -> allowed.stream().filter(path::startsWith).findFirst());
    }
}
