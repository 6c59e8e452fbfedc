import APIDocuments
import Administration

/// What of a list is damaged or missing, below what could be read.
enum UnreadableRemark {
    static func text(_ failures: [ErrorDocument.Failure]?, style: Style) -> String {
        (failures ?? []).map { failure in
            """

            \(style.bad("✗ \(failure.id)")) \(failure.message.printable)
                \(style.faint("fix")) \(failure.fix.printable)
            """
        }.joined()
    }
}
