/// `control`: three faults that a run must find, or nothing else it says is worth anything.
///
/// An input that begins with `OTA!` breaks a promise, one with `OTA?` leaks, and one with `OTA~`
/// goes beyond its bounds.
struct Control: PlainInputKind {
    static let name = "control"

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        ["harmless": Array("harmless".utf8)]
    }

    func check(_ input: [UInt8]) {
        promise(!input.starts(with: Array("OTA!".utf8)), "the control was found")
        if input.starts(with: Array("OTA?".utf8)) {
            let ring = Ring(input)
            ring.next = ring
        }
        if input.starts(with: Array("OTA~".utf8)) {
            let beyond = unsafe input.withUnsafeBufferPointer { bytes in
                unsafe bytes[bytes.count + 40]
            }
            if beyond == 1 { print("read") }
        }
    }

    private final class Ring {
        let bytes: [UInt8]
        var next: Ring?

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }
    }
}
