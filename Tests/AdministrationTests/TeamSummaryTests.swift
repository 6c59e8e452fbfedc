import APIDocuments
import Testing

/// The summary of a comparison with Apple, and the name of a key file.
struct TeamSummaryTests {
    @Test(arguments: [
        (0, 0, "The device register and Apple’s list are the same."),
        (0, 1, "The server has nothing to change; 1 difference needs a person."),
        (0, 2, "The server has nothing to change; 2 differences need a person."),
        (1, 0, "The server would make 1 change."),
        (2, 1, "The server would make 2 changes; 1 difference needs a person."),
    ])
    func `both lists are the same only where nothing differs`(
        steps: Int,
        differences: Int,
        says: String,
    ) {
        let document = TeamSyncDocument(
            team: "ABCDE12345",
            agreed: nil,
            steps: Array(repeating: "rename a device", count: steps),
            differences: Array(repeating: .init(text: "a", fix: "b"), count: differences),
            slots: [],
            job: nil,
        )
        #expect(document.summary == says)
    }

    @Test(
        arguments: [
            ("AuthKey_2X9R4HXF34.p8", "2X9R4HXF34"), ("a/AuthKey_X.p8", "X"), ("AuthKey_.p8", nil),
            ("key.p8", nil), ("", nil),
        ] as [(String, String?)]
    )
    func `the key ID is in the name of the file`(name: String, identifier: String?) {
        #expect(APIKeyUpload.keyID(inName: name) == identifier)
    }
}
