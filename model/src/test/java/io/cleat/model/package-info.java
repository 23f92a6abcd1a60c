@NullMarked
package io.cleat.model;

import org.jspecify.annotations.NullMarked;
