import Cryptography
import Foundation
import Mirrors
import Releases
import Store

extension StoreOptions {
    /// What work on the store's mirrors needs.
    func mirrors(of store: OTAStore, in context: CommandContext) throws -> MirrorContext {
        var place = try MirrorContext(
            of: store,
            surroundings: context.environment,
            clock: context.now,
        )
        place.signer = store.signer(
            openingWith: SealingKeyFile(option: nil, environment: context.environment)
        )
        return place
    }
}

/// What a build prints, as a terminal may show it.
enum LogOutput {
    static func plain(_ bytes: [UInt8]) -> String {
        // By bytes: a carriage return and a line feed are one character.
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { line in
                let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
                return line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
                    .map { String(decoding: $0, as: UTF8.self).printable }
                    .joined(separator: "\t")
            }
            .joined(separator: "\n")
    }
}
