"""Reports: pure functions from grades to text. They only read; two renderings of one grade are byte-identical.

Nothing is imported here, since half of these modules need a library that most commands never use:

    record      the whole grade as JSON, there and back          table       grades.csv
    junit       JUnit XML for CI systems                         gradescope  results.json
    page        the HTML page of a submission, and of a batch    github      annotations, step summary, Classroom
    console     what ``check`` and ``grade`` print

``shown`` makes text from students safe to show, and ``words`` has the sentences that several reports share. ``view``
and ``overview`` compute the content of a submission's page and of a batch's index.
"""
