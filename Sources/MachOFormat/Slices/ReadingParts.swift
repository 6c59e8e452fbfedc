import Bytes

/// Runs a reader over a part that begins at `base`, so that errors count from the whole.
func reading<Result>(
    at base: Int,
    _ body: () throws(MalformedBytes) -> Result,
) throws(MalformedBytes) -> Result {
    do throws(MalformedBytes) {
        return try body()
    } catch {
        throw error.moved(by: base)
    }
}
