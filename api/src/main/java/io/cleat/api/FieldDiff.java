package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How two versions of one value differ. */
public record FieldDiff(@Nullable List<String> Annotations, String Name, String New, String Old, String Type) {}
