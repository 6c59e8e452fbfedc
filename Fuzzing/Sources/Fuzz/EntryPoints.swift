/// libFuzzer brings the main program and calls these two.
///
/// It passes over arguments with two dashes, which are ours: `--kind=zip --seeds=Fuzzing/Seeds`.
@c(LLVMFuzzerInitialize)
func initialize(
    _ argumentCount: UnsafeMutablePointer<Int32>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>>>?,
) -> Int32 {
    if let folder = Arguments.seedsToWrite { Seeds.write(to: folder) }
    return 0
}

@c(LLVMFuzzerTestOneInput)
func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    session.kind.check(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

private let session = Session()
