@NullMarked
package io.cleat.driverkit;

import org.jspecify.annotations.NullMarked;
