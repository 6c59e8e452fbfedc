import Bytes

/// Runs a reader on a part that begins at `base`, and makes the offsets of its errors relative to the
/// whole.
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
